const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The network of one customer of an internet provider: an IPv4 address, or the /64 of an IPv6 address (RFC 6177). */
export function networkPrefixOf(ip: string): string {
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped) return mapped
  const [address = ''] = ip.split('%')
  if (!URL.canParse(`http://[${address}]`)) return ip
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  // An embedded IPv4 address stands for the last two groups, which are not in the network anyway.
  const missing = address.includes('::') ? 8 - left.length - right.length - (address.includes('.') ? 1 : 0) : 0
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
