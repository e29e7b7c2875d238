"""The commands of `audit`, one module each. Nothing heavy is imported before a command runs, so that help is instant."""
