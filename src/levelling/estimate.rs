//! A closed-form estimate of how loud a blow will be.
