const PREFIX_TOKEN = 0xef
const CATEGORY_LENGTH = 32
const HAS_COMMITMENT = 0x40
const HAS_NFT = 0x20
const HAS_AMOUNT = 0x10

/**
 * The length of the CashTokens prefix of an output's script field (CHIP-2022-02), 0 if it has none.
 * A prefix that is not valid is no prefix: before the upgrade of May 2023 such bytes were part of the script.
 */
export function tokenPrefixLength(field: Buffer): number {
  if (field[0] !== PREFIX_TOKEN || field.length < CATEGORY_LENGTH + 2) return 0
  const bitfield = field[1 + CATEGORY_LENGTH] ?? 0
  if (!isValidBitfield(bitfield)) return 0
  let end: number | undefined = 2 + CATEGORY_LENGTH
  if (bitfield & HAS_COMMITMENT) end = endOfCommitment(field, end)
  if (bitfield & HAS_AMOUNT && end !== undefined) end = endOfAmount(field, end)
  return end ?? 0
}

function isValidBitfield(bitfield: number): boolean {
  const capability = bitfield & 0x0f
  if (bitfield & 0x80 || capability > 2) return false
  return bitfield & HAS_NFT ? true : capability === 0 && (bitfield & (HAS_COMMITMENT | HAS_AMOUNT)) === HAS_AMOUNT
}

function endOfCommitment(field: Buffer, offset: number): number | undefined {
  const length = compactSize(field, offset)
  if (!length?.value) return undefined
  const end = length.end + Number(length.value)
  return end <= field.length ? end : undefined
}

function endOfAmount(field: Buffer, offset: number): number | undefined {
  const amount = compactSize(field, offset)
  return amount?.value && amount.value < 1n << 63n ? amount.end : undefined
}

function compactSize(field: Buffer, offset: number): { value: bigint; end: number } | undefined {
  const first = field[offset]
  if (first === undefined) return undefined
  if (first < 0xfd) return { value: BigInt(first), end: offset + 1 }
  const width = 1 << (first - 0xfc)
  const end = offset + 1 + width
  if (end > field.length) return undefined
  const value = BigInt(
    `0x${Buffer.from(field.subarray(offset + 1, end))
      .reverse()
      .toString('hex')}`,
  )
  const least = width === 2 ? 0xfdn : 1n << BigInt(width * 4)
  return value < least ? undefined : { value, end }
}
