//! Which program made a run: a digest of its file. Two builds of one version differ in it, two copies of one
//! build do not.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

/// SHA-256 of the file, as 64 hexadecimal digits.
pub fn of_program(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => digest.update(&buffer[..read]),
        }
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// That of this program; `unknown` where its file cannot be read any more.
pub fn of_this_program() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| of_program(Path::new("/proc/self/exe")).unwrap_or_else(|_| "unknown".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        std::fs::write(&file, "abc").unwrap();
        let digest = of_program(&file).unwrap();
        assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(of_program(&folder.path().join("none")).is_err());
        assert_eq!(of_this_program().len(), 64);
    }
}
