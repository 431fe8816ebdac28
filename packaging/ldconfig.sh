# after installing and removing: the reader library is known to the loader, or no longer
# shellcheck shell=sh
ldconfig || :
