/** Bytes, text or JSON that cannot be valid. The message says what is wrong and never contains a secret. */
export class InvalidEthereumData extends Error {
  override readonly name = 'MalformedData'
}
