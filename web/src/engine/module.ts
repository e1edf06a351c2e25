import address from "shisa/shisa_bg.wasm?url";

/** Fetches and compiles the module once; all workers share it. */
export async function compileModule(): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the module was not found: HTTP status ${response.status}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // A server may send the module with another type than application/wasm.
    return WebAssembly.compile(await response.arrayBuffer());
  }
}
