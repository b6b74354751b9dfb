/** Bytes, text or JSON that are not what they should be. The message says what is wrong, never a secret. */
export class InvalidEthereumData extends Error {
  override readonly name = 'MalformedData'
}
