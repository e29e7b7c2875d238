#!/bin/sh
# Writes the files of wiki and AsciiDoc markup with pandoc (Debian package `pandoc`, 2.17 was used).
set -eu
cd "$(dirname "$0")"
pandoc -f markdown -t asciidoc --wrap=none -s -o wiki_policy.adoc wiki_policy.pandoc
pandoc -f markdown -t mediawiki --wrap=none -o wiki_policy.mediawiki wiki_policy.pandoc
pandoc -f markdown -t jira --wrap=none -o wiki_policy.confluence wiki_policy.pandoc
