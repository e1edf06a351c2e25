//! Chromium's WGSL compiler, Tint, as a judge: a page passes the texts to it and writes down its messages.

use super::{Row, beginning};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The browser.
const BROWSER: &str = "chromium";
/// Texts of one page.
const TEXTS: usize = 200;
/// The page's budget in milliseconds of its own virtual time. While a page is idle, this time runs ahead of real
/// time, so the page ticks until the device has responded.
const BUDGET: u32 = 3_600_000;

/// Whether the browser is installed.
pub(super) fn installed() -> bool {
    super::installed(BROWSER)
}

/// What Tint found.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// Its verdict on each text that it could judge.
    pub(super) rows: Vec<Row>,
    /// How many texts enable each extension that the browser's device does not have. Tint accepts an extension
    /// only for a device that has its feature.
    pub(super) lacking: BTreeMap<String, usize>,
}

/// Tint's verdicts on the WGSL files in a folder; the pages are written to `folder`, too.
pub(super) fn judge(folder: &Path) -> Result<Verdicts, Box<dyn Error>> {
    let paths = shisa_conformance::files(folder, ".wgsl")?;
    let mut verdicts = Verdicts::default();
    for part in paths.chunks(TEXTS) {
        let texts = part.iter().map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
        let page = folder.join("tint.html");
        fs::write(&page, html(&texts))?;
        let said = said(&page, folder)?;
        let faults: Vec<Value> =
            serde_json::from_str(&said).map_err(|_| format!("the browser answers: {}", beginning(&said)))?;
        if faults.len() != part.len() {
            return Err("the browser does not report on every text".into());
        }
        for (path, fault) in part.iter().zip(faults) {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
            match fault {
                Value::String(extension) => *verdicts.lacking.entry(extension).or_default() += 1,
                Value::Array(faults) if faults.is_empty() => verdicts.rows.push((name, Ok(()))),
                faults => verdicts.rows.push((name, Err(faults.to_string()))),
            }
        }
    }
    Ok(verdicts)
}

/// A page that becomes a list: for each text a list of the errors found in it, or the name of an extension that it
/// enables and the device lacks.
///
/// The device gets every feature of its adapter. The feature of an extension has the extension's name with `-` for
/// `_`, except that `f16` is `shader-f16`.
fn html(texts: &[String]) -> String {
    // No text can end the script.
    let texts = Value::from(texts).to_string().replace('<', "\\u003c");
    format!(
        r#"<!doctype html><meta charset="utf-8"><body>the page did not end<script>
(async () => {{
  const said = [];
  const ticking = setInterval(() => {{}}, 1);
  try {{
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice({{ requiredFeatures: [...adapter.features] }});
    const lacks = name => !device.features.has(name === "f16" ? "shader-f16" : name.replaceAll("_", "-"));
    for (const code of {texts}) {{
      const enabled = [...code.matchAll(/^enable (.*);$/gm)].flatMap(m => m[1].split(/, */));
      const lacking = enabled.find(lacks);
      if (lacking) {{
        said.push(lacking);
        continue;
      }}
      device.pushErrorScope("validation");
      const info = await device.createShaderModule({{ code }}).getCompilationInfo();
      await device.popErrorScope();
      const errors = info.messages.filter(m => m.type === "error");
      said.push(errors.map(m => `line ${{m.lineNum}}: ${{m.message}}`).slice(0, 3));
    }}
    document.body.textContent = JSON.stringify(said);
  }} catch (e) {{
    document.body.textContent = `no device: ${{e}}`;
  }}
  clearInterval(ticking);
}})();
</script>"#
    )
}

/// The text of a page after it has run.
fn said(page: &Path, folder: &Path) -> Result<String, Box<dyn Error>> {
    let output = Command::new(BROWSER)
        // Chromium refuses its sandbox to root, which test environments run as.
        .args(["--headless", "--no-sandbox", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--disable-quic"])
        .args(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg(format!("--virtual-time-budget={BUDGET}"))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.canonicalize()?.display()))
        .output()?;
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let body = dom.split_once("<body>").map_or(dom.as_str(), |(_, body)| body);
    let body = body.split_once("</body>").map_or(body, |(body, _)| body);
    Ok(body.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tint_takes_what_is_right() {
        if !installed() {
            println!("skipped: {BROWSER} is not installed");
            return;
        }
        let folder = std::env::temp_dir().join(format!("shisa-tint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.wgsl"), "@compute @workgroup_size(1) fn main() { /* </script> */ }")
            .unwrap();
        fs::write(folder.join("b.wgsl"), "fn main() { let a = 1 < ; }").unwrap();
        let clipped = "enable clip_distances;\n@compute @workgroup_size(1) fn main() {}";
        fs::write(folder.join("c.wgsl"), clipped).unwrap();
        fs::write(folder.join("d.wgsl"), "enable of_no_device;\n@compute @workgroup_size(1) fn main() {}")
            .unwrap();
        let verdicts = judge(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let Verdicts { rows, lacking } = verdicts.unwrap();
        assert_eq!(rows[0], ("a.wgsl".into(), Ok(())));
        assert!(rows[1].1.as_ref().is_err_and(|said| said.starts_with("[\"line 1: ")), "{rows:?}");
        assert_eq!(rows[2..], [("c.wgsl".into(), Ok(()))]);
        assert_eq!(lacking, BTreeMap::from([("of_no_device".into(), 1)]));
    }
}
