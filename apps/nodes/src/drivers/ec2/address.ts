import { BlockList, isIPv4 } from 'node:net'

// Where no machine is, but the metadata of the cloud, and this very service: https://www.rfc-editor.org/rfc/rfc6890
const NOWHERE = new BlockList()
NOWHERE.addSubnet('0.0.0.0', 8)
NOWHERE.addSubnet('127.0.0.0', 8)
NOWHERE.addSubnet('169.254.0.0', 16)
NOWHERE.addSubnet('224.0.0.0', 3)

/** Whether an address that we are told is one that a machine can have. */
export function isMachineAddress(address: string): boolean {
  return isIPv4(address) && !NOWHERE.check(address)
}
