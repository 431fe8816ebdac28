# Writes OUT, a header with a hash of everything that decides what the weaver makes of a class: its sources and those
# of formats/. Woven classes that were saved are used again only by a weaver with the same hash (weaver/saved.h).
set(all "")
foreach(folder weaver formats)
    file(GLOB_RECURSE files "${ROOT}/${folder}/*.[ch]" "${ROOT}/${folder}/*.def")
    list(SORT files)
    foreach(source IN LISTS files)
        file(SHA256 "${source}" hash)
        string(APPEND all "${hash}")
    endforeach()
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 32 hash)
file(WRITE "${OUT}" "#define WEAVER_HASH \"${hash}\"\n")
