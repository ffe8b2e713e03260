#include <libconfig.h>

/* The macros of libconfig, which Swift does not import. */

static inline config_setting_t *configRoot(const config_t *configuration) {
  return config_root_setting(configuration);
}
static inline int configErrorLine(const config_t *configuration) {
  return config_error_line(configuration);
}
static inline const char *configErrorText(const config_t *configuration) {
  return config_error_text(configuration);
}
static inline int settingType(const config_setting_t *setting) {
  return config_setting_type(setting);
}
static inline const char *settingName(const config_setting_t *setting) {
  return config_setting_name(setting);
}
static inline int settingLine(const config_setting_t *setting) {
  return (int)config_setting_source_line(setting);
}
