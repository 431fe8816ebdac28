# config.cmake - read by cpack for each kind of package: where it is installed to, and the one time of all files.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(CPACK_PACKAGING_INSTALL_PREFIX "")
else()
    set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
endif()
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
    execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY "${CPACK_HINDSIGHT_SOURCE}"
        OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT time)
        set(time 0)
    endif()
    set(ENV{SOURCE_DATE_EPOCH} "${time}")
endif()
