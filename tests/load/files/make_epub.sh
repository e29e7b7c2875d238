#!/bin/sh
# Writes handbook.epub and handbook-2.epub (EPUB 3 and 2, Debian: pandoc) and handbook-3.epub (Debian: libreoffice-writer-nogui)
# from handbook.md. Each file states when it was made.
set -e
cd "$(dirname "$0")"
pandoc handbook.md --toc -t epub3 -o handbook.epub
pandoc handbook.md --toc -t epub2 -o handbook-2.epub
profile=$(mktemp -d)
pandoc handbook.md -o "$profile/handbook-3.odt"
soffice --headless "-env:UserInstallation=file://$profile/office" --convert-to epub --outdir . "$profile/handbook-3.odt"
rm -rf "$profile"
