import { addressesOf } from '@trestle/runtime/address-ranges'
import { z } from 'zod'

// Never a machine's, but this host, the cloud's metadata, multicast and reserved (RFC 6890).
const SPECIAL = addressesOf(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'])

/** Whether a machine can have this address. */
export function isMachineAddress(address: string): boolean {
  return z.ipv4().safeParse(address).success && !SPECIAL.check(address)
}
