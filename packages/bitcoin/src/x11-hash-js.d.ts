declare module '@dashevo/x11-hash-js' {
  /** Of bytes to bytes: that is what the ones stand for. */
  function digest(input: Buffer, inputFormat: 1, outputFormat: 1): number[]
  const x11HashJs: { readonly digest: typeof digest }
  export default x11HashJs
}
