//! Where the shared library of the C interface is: in the folder LINCHPIN_LIB_DIR, or else the system's.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LINCHPIN_LIB_DIR");
    if let Some(folder) = std::env::var_os("LINCHPIN_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", folder.to_string_lossy());
    }
    println!("cargo:rustc-link-lib=dylib=linchpin_c");
}
