import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { addressesOf } from './address-ranges.js'

// RFC 6890: addresses that are not on the internet, and those of IPv6 that lead to one of IPv4. One that is mapped (::ffff:0:0/96) is checked as
// that of IPv4; with its range here, a BlockList would have all of IPv4.
const INTERNAL = addressesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Whether an address is not on the internet: whoever chooses a URL must not reach it through us. */
export function isInternalAddress(address: string): boolean {
  return INTERNAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** For a connection: the addresses of a host, to which it then goes, unless one of them may not be reached. */
export function guardedLookup(mayConnect: (hostname: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (failure, addresses = []) => {
      const isRefused = addresses.some(({ address }) => !mayConnect(hostname, address))
      const error = failure ?? (isRefused ? new Error(`${hostname} is internal`) : null)
      const [first] = addresses
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '')
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
}
