#!/bin/sh
# Writes backup_policy.{odt,docx,rtf} from backup_policy.fodt with LibreOffice (Debian: libreoffice-writer-nogui).
set -e
cd "$(dirname "$0")"
profile=$(mktemp -d)
for format in odt docx rtf; do
  soffice --headless "-env:UserInstallation=file://$profile" --convert-to "$format" --outdir . backup_policy.fodt
done
rm -rf "$profile"
