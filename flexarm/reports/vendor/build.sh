#!/bin/sh
# Make three.min.js anew: the parts of three.js that parts.js names, bundled and minified. Needs npm and the network.
set -eu
THREE=0.187.0
THREE_SHA256=ff540832ded0cfe919764d24a3d88f3e2a05f23303f876423e4f893841e90728
ESBUILD=0.28.2

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/parts.js" "$work"
cd "$work"
npm pack --silent "three@$THREE" > /dev/null
echo "$THREE_SHA256  three-$THREE.tgz" | sha256sum --check --quiet
npm install --silent --no-save --no-audit --no-fund "./three-$THREE.tgz" "esbuild@$ESBUILD" > /dev/null
node_modules/.bin/esbuild parts.js --bundle --minify --format=iife --global-name=THREE --target=es2020 --charset=ascii \
  --legal-comments=none --log-level=warning --outfile=bundle.js

# every page holds a copy of the library, so the licence goes with it
{
  printf '/*! three.js %s\n\n' "$THREE"
  cat node_modules/three/LICENSE
  printf '*/\n'
  cat bundle.js
} > "$here/three.min.js"
cp node_modules/three/LICENSE "$here/LICENSE"
cd "$here"
sha256sum three.min.js LICENSE > SHA256SUMS
