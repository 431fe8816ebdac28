# sort.cmake - run by cpack when a package is made: its .tar.gz has the files in the order of the disk, this one in that
# of their names.
if(CPACK_GENERATOR STREQUAL "TGZ")
    cmake_path(GET CPACK_TEMPORARY_INSTALL_DIRECTORY PARENT_PATH parent)
    cmake_path(GET CPACK_TEMPORARY_INSTALL_DIRECTORY FILENAME folder)
    foreach(package IN LISTS CPACK_PACKAGE_FILES)
        execute_process(
            COMMAND tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -C "${parent}" -cf - "${folder}"
            COMMAND gzip -9n OUTPUT_FILE "${package}" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endif()
