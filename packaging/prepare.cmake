# prepare.cmake - run by cpack between installing the files into its folder and packing them: what Debian's policy asks
# of a package, and one time for all files.
set(files "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
    string(APPEND files "/usr")
endif()
file(GLOB archives "${files}/lib/*.a")
foreach(archive IN LISTS archives)
    execute_process(COMMAND "${CPACK_HINDSIGHT_STRIP}" --strip-debug --enable-deterministic-archives "${archive}"
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB pages "${files}/share/man/man*/*[0-9]")
list(SORT pages)
if(pages)
    execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
    file(MAKE_DIRECTORY "${files}/share/lintian/overrides")
    file(COPY_FILE "${CPACK_HINDSIGHT_SOURCE}/packaging/lintian-overrides" "${files}/share/lintian/overrides/hindsight")
    set(docs "${files}/share/doc/hindsight")
    file(RENAME "${docs}/LICENSE" "${docs}/copyright")
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH
    file(WRITE "${docs}/changelog" "hindsight (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
        "  * See CHANGELOG.md in this folder.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    execute_process(COMMAND gzip -9nf "${docs}/changelog" COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -exec touch -h -d "@$ENV{SOURCE_DATE_EPOCH}" {} +
    COMMAND_ERROR_IS_FATAL ANY)
