# Packages of preset portable: `cmake --build --preset portable --target package` makes a .deb, an .rpm (where rpmbuild
# is) and a .tar.gz with its checksum. The same tree gives the same bytes: all times are SOURCE_DATE_EPOCH, by default
# that of the last commit. packaging/README.md has what else is made from them; test/packages/run.sh uses them.
string(REGEX MATCH "^[^-]+" machine "${CMAKE_SYSTEM_PROCESSOR}")
set(package_docs "${CMAKE_INSTALL_DATADIR}/doc/hindsight")
file(GLOB pages docs/*.md)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE ${pages} DESTINATION "${package_docs}")
install(DIRECTORY docs/programs docs/img DESTINATION "${package_docs}")
install(FILES bindings/python/pyproject.toml DESTINATION "${CMAKE_INSTALL_DATADIR}/hindsight/python")
install(DIRECTORY bindings/python/hindsight DESTINATION "${CMAKE_INSTALL_DATADIR}/hindsight/python"
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
find_program(PYTHON_PROGRAM python3 REQUIRED)
set(vsix "${CMAKE_BINARY_DIR}/hindsight.vsix")
file(GLOB vsix_sources CONFIGURE_DEPENDS editors/vscode/*.* editors/vscode/src/*)
add_custom_command(OUTPUT "${vsix}" COMMAND "${PYTHON_PROGRAM}" "${CMAKE_CURRENT_SOURCE_DIR}/editors/vscode/pack.py"
    "${vsix}" DEPENDS ${vsix_sources} COMMENT "Packing the extension of VS Code" VERBATIM)
add_custom_target(extension ALL DEPENDS "${vsix}")
install(FILES "${vsix}" DESTINATION "${CMAKE_INSTALL_DATADIR}/hindsight")

set(CPACK_PACKAGE_NAME hindsight)
set(CPACK_PACKAGE_VENDOR "Hindsight")
set(HINDSIGHT_CONTACT "Hindsight <hindsight@users.noreply.github.com>" CACHE STRING "Who answers for the packages")
set(CPACK_PACKAGE_CONTACT "${HINDSIGHT_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "omniscient event recorder for the JVM")
set(CPACK_PACKAGE_DESCRIPTION "Records what a Java program did: every call, parameter, result, field,
array element, lock and branch, with exact object identity. The command
hindsight answers questions about the run, long after it has ended: who wrote
a value, why, where an exception came from, what was different in another run.")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_VERSION "${hs_version}")
set(CPACK_PACKAGE_FILE_NAME "hindsight-${hs_version}-linux-${machine}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_GENERATOR TGZ DEB)
find_program(RPMBUILD_PROGRAM rpmbuild)
if(RPMBUILD_PROGRAM)
    list(APPEND CPACK_GENERATOR RPM)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1) # archives do not depend on the number of cores
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_SOURCE_DIR}/packaging/prepare.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_SOURCE_DIR}/packaging/sort.cmake")
set(CPACK_HINDSIGHT_STRIP "${CMAKE_STRIP}")
set(CPACK_HINDSIGHT_SOURCE "${CMAKE_CURRENT_SOURCE_DIR}")
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_SOURCE_DIR}/packaging/config.cmake")

string(REPLACE "-" "~" package_version "${hs_version}")
set(CPACK_DEBIAN_PACKAGE_VERSION "${package_version}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(machine STREQUAL "aarch64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "default-jre-headless, libcurl4, libxml2, python3")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(control "${CMAKE_BINARY_DIR}/packaging")
file(WRITE "${control}/triggers" "activate-noawait ldconfig\n")
file(WRITE "${control}/shlibs" "libhindsight-reader ${PROJECT_VERSION_MAJOR} hindsight (>= ${package_version})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${control}/triggers" "${control}/shlibs")

set(CPACK_RPM_PACKAGE_VERSION "${package_version}")
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_ARCHITECTURE "${machine}")
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_AUTOREQ " no")
set(CPACK_RPM_PACKAGE_REQUIRES "glibc >= 2.34")
set(CPACK_RPM_POST_INSTALL_SCRIPT_FILE "${CMAKE_CURRENT_SOURCE_DIR}/packaging/ldconfig.sh")
set(CPACK_RPM_POST_UNINSTALL_SCRIPT_FILE "${CMAKE_CURRENT_SOURCE_DIR}/packaging/ldconfig.sh")
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none
%define __os_install_post %{nil}
%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1")
include(CPack)
file(COPY packaging/install.sh DESTINATION "${CMAKE_BINARY_DIR}") # beside the packages, as they are handed out

# ---- the jar ---------------------------------------------------------------------------------------------------------
set(HINDSIGHT_OTHER_MACHINES "" CACHE STRING "More agents for the jar, each MACHINE=BUILD (a build folder of portable)")
set(jar "${CMAKE_BINARY_DIR}/hindsight-agent-${hs_version}.jar")
file(GLOB jar_sources CONFIGURE_DEPENDS packaging/maven/*)
add_custom_command(OUTPUT "${jar}"
    COMMAND "${CMAKE_COMMAND}" -E env "JAVA_HOME=${JDK_HOME}" sh "${CMAKE_CURRENT_SOURCE_DIR}/packaging/maven/jar.sh"
        "${CMAKE_CURRENT_SOURCE_DIR}" "${hs_version}" "${jar}" "${CMAKE_BINARY_DIR}/jar"
        "${machine}=${CMAKE_BINARY_DIR}" ${HINDSIGHT_OTHER_MACHINES}
    DEPENDS agent hindsight ${jar_sources} COMMENT "Making hindsight-agent.jar" VERBATIM)
add_custom_target(agent_jar ALL DEPENDS "${jar}")
configure_file(packaging/maven/pom.xml.in "hindsight-agent-${hs_version}.pom" @ONLY)
