import { hoodiGenesis } from '@ethereumjs/genesis/hoodi'
import type { EthereumRpc } from '../ethereum/ethereum-rpc.js'
import { DEPOSIT_CONTRACT } from './deposit-contract.js'

type Allocation = readonly [balance: string, code?: string, storage?: readonly (readonly [slot: string, value: string])[]]

const WITHDRAWAL_REQUESTS = '0x00000961ef480eb55e80d19ad83579a64c007002'
const CONSOLIDATION_REQUESTS = '0x0000bbddc7ce488642fb579f8b00f3a590007251'
const ZERO = `0x${'00'.repeat(32)}`

/** Deploys the deposit contract and those of EIP-7002 and EIP-7251 like hoodi's genesis, unless they exist. */
export async function putPredeploys(rpc: EthereumRpc): Promise<void> {
  for (const address of [DEPOSIT_CONTRACT, WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS]) {
    if ((await rpc.call('eth_getCode', address, 'latest')) !== '0x') continue
    const [, code, storage = []] = allocationOf(address)
    for (const [slot, value] of storage) await rpc.call('anvil_setStorageAt', address, slot, value)
    // Both store the excess in slot 0; its initial value forbids every request until the first system call, which anvil never makes.
    if (address !== DEPOSIT_CONTRACT) await rpc.call('anvil_setStorageAt', address, ZERO, ZERO)
    await rpc.call('anvil_setCode', address, code)
  }
}

function allocationOf(address: string): Allocation {
  const allocation = (hoodiGenesis as Record<string, unknown>)[address]
  if (!Array.isArray(allocation)) throw new Error(`The genesis of hoodi has no contract at ${address}.`)
  return allocation as unknown as Allocation
}
