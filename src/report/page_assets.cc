// The parts of the page that the build makes from web/; page.cmake puts them between these symbols.
#include "report/page.h"

extern "C" {
extern const char evenbench_page_frame_begin[], evenbench_page_frame_end[];
extern const char evenbench_page_style_begin[], evenbench_page_style_end[];
extern const char evenbench_page_script_begin[], evenbench_page_script_end[];
extern const char evenbench_page_licences_begin[], evenbench_page_licences_end[];
}

namespace evenbench::report {

PageAssets built_in_assets() {
  return {{evenbench_page_frame_begin, evenbench_page_frame_end},
          {evenbench_page_style_begin, evenbench_page_style_end},
          {evenbench_page_script_begin, evenbench_page_script_end},
          {evenbench_page_licences_begin, evenbench_page_licences_end}};
}

}  // namespace evenbench::report
