#!/bin/bash -eu
bash "$SRC/poolproof/fuzz/build.sh"
