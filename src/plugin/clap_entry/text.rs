//! Texts on their way through C.

use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;

/// A text for C. One that holds a zero ends there.
pub fn to_c(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// A text from C, if there is one and it is UTF-8.
///
/// # Safety
/// The pointer is null, or leads to a text that ends in zero and stays for as long as the result is
/// used.
pub unsafe fn from_c<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// A path from C, if there is one.
///
/// # Safety
/// As for [`from_c`].
pub unsafe fn path_from_c(text: *const c_char) -> Option<PathBuf> {
    // SAFETY: promised by the caller.
    unsafe { from_c(text) }.filter(|text| !text.is_empty()).map(PathBuf::from)
}
