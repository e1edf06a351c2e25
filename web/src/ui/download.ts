/** Offers bytes or a text as a file. */
export function download(name: string, content: Uint8Array | string): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after this call.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
