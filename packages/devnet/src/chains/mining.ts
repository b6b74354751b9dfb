import type { NodeRpc } from './node-rpc.js'
import { MINER, type Owner } from './owners.js'

export async function addressOfOwner(rpc: NodeRpc, owner: Owner): Promise<string> {
  const [address = ''] = await rpc.call<string[]>('deriveaddresses', await withChecksum(rpc, owner.descriptor))
  return address
}

/** Makes a block of what waits. */
export async function mine(rpc: NodeRpc): Promise<void> {
  await rpc.call('generatetodescriptor', 1, await withChecksum(rpc, MINER.descriptor))
}

/** Output descriptors end with a checksum (BIP 380), which the node works out. */
async function withChecksum(rpc: NodeRpc, descriptor: string): Promise<string> {
  const info = await rpc.call<{ descriptor: string }>('getdescriptorinfo', descriptor)
  return info.descriptor
}
