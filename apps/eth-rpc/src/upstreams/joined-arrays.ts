const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c]
const SPACE = 0x20

/** One JSON array of the elements of several, in order; undefined where one of them is no array. */
export function joinArrays(arrays: readonly Buffer[]): Buffer | undefined {
  if (!arrays.every(isArray)) return undefined
  if (arrays.length === 1) return arrays[0]
  const contents = arrays.map(contentOf).filter((content) => content.length > 0)
  const size = contents.reduce((total, content) => total + content.length + 1, 1)
  const joined = Buffer.allocUnsafe(Math.max(size, 2))
  let at = 0
  for (const content of contents) {
    joined[at] = at === 0 ? OPEN : COMMA
    at += 1 + content.copy(joined, at + 1)
  }
  if (contents.length === 0) joined[at++] = OPEN
  joined[at] = CLOSE
  return joined
}

function isArray(json: Buffer): boolean {
  return json.length >= 2 && json[0] === OPEN && json[json.length - 1] === CLOSE
}

function contentOf(array: Buffer): Buffer {
  let [start, end] = [1, array.length - 1]
  while (start < end && (array[start] as number) <= SPACE) start++
  while (end > start && (array[end - 1] as number) <= SPACE) end--
  return array.subarray(start, end)
}
