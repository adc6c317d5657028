//! How a time of day is written.

use brute_prompts::{PromptErrorKind, TimeFormat};

#[track_caller]
fn check(locale: &str, format: TimeFormat) {
    assert_eq!(TimeFormat::Auto.resolved(Some(locale)), format, "{locale}");
    assert_eq!(TimeFormat::Hours12.resolved(Some(locale)), TimeFormat::Hours12);
    assert_eq!(TimeFormat::Hours24.resolved(Some(locale)), TimeFormat::Hours24);
}

#[test]
fn some_locales_count_twelve_hours() {
    for locale in ["en_US", "en_US.UTF-8", "en-US", "EN_us@posix", "es_US", "en_CA.UTF-8"] {
        check(locale, TimeFormat::Hours12);
    }
    for locale in ["en_AU", "en_NZ", "en_IN", "hi_IN", "en_PH", "ko_KR", "zh_Hant_TW", "ar_EG"] {
        check(locale, TimeFormat::Hours12);
    }
}

#[test]
fn all_others_count_twenty_four() {
    let locales =
        ["", "C", "C.UTF-8", "POSIX", "en", "en_GB", "fr_CA", "de_CH.UTF-8", "ja_JP", "US"];
    for locale in locales {
        check(locale, TimeFormat::Hours24);
    }
    assert_eq!(TimeFormat::default().resolved(None), TimeFormat::Hours24);
}

#[test]
fn a_format_is_known_by_its_name() {
    for format in TimeFormat::ALL {
        assert_eq!(serde_json::to_value(format).unwrap(), format.name());
        assert_eq!(serde_json::from_value::<TimeFormat>(format.name().into()).unwrap(), format);
        assert_eq!(format.to_string().parse::<TimeFormat>().unwrap(), format);
    }
    let error = "13".parse::<TimeFormat>().unwrap_err();
    assert_eq!((error.kind(), error.known().len()), (PromptErrorKind::InvalidName, 3));
}
