import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { findAnvil, type RunningAnvil, startAnvil } from '@trestle/devnet/ethereum/anvil'
import { workerFolder } from '@trestle/testing/worker-folder'

// Says one empty log, and leaves no contract: PUSH1 0, PUSH1 0, LOG0, STOP.
const SAYS_A_LOG = '0x60006000a000'
const FIRST_TIMESTAMP = 1_900_000_000

/** Nodes of one chain, which are given the same transactions and the same times, and so make the same blocks. */
export class Anvils {
  private made = 0

  private constructor(readonly nodes: readonly RunningAnvil[]) {}

  static async start(count: number): Promise<Anvils> {
    return new Anvils(await Promise.all(Array.from({ length: count }, () => anvil(1337))))
  }

  /** On those that are given, or on all. */
  async mine(count: number, { on = this.nodes, withLog = false } = {}): Promise<void> {
    for (let made = 0; made < count; made++) {
      const timestamp = FIRST_TIMESTAMP + 12 * ++this.made
      await Promise.all(on.map((node) => mineOne(node, timestamp, withLog)))
    }
  }

  /** `more` or others instead of the newest blocks, other than any before. */
  async reorganize(depth: number, more = 0, on = this.nodes): Promise<void> {
    await Promise.all(on.map(({ rpc }) => rpc.call('anvil_rollback', depth)))
    await this.mine(depth + more, { on })
  }

  async stop(): Promise<void> {
    for (const { process } of this.nodes) process.kill('SIGKILL')
    await Promise.all(this.nodes.map(({ process }) => process.exited))
  }
}

export function anvil(chainId: number, port?: number): Promise<RunningAnvil> {
  return startAnvil({ command: findAnvil(), dir: mkdtempSync(join(workerFolder(), 'anvil-')), chainId, port })
}

export function headOf({ rpc }: RunningAnvil): Promise<{ hash: string; number: string }> {
  return rpc.call('eth_getBlockByNumber', 'latest', false)
}

async function mineOne({ rpc }: RunningAnvil, timestamp: number, withLog: boolean): Promise<void> {
  if (withLog) await rpc.call('eth_sendTransaction', await saysALog(rpc))
  await rpc.call('evm_setNextBlockTimestamp', timestamp)
  await rpc.call('evm_mine')
}

async function saysALog(rpc: RunningAnvil['rpc']) {
  const [from] = await rpc.call<string[]>('eth_accounts')
  return { from, data: SAYS_A_LOG, gas: '0x30d40', gasPrice: '0x174876e800' }
}
