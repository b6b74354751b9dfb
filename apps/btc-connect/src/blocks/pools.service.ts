import { readFile } from 'node:fs/promises'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { messageOf } from '@trestle/problem/thrown'
import type { BtcConnectEnv } from '../env.js'
import { ENV, RULES } from '../settings.module.js'
import { type MiningPool, type PoolFinder, PoolList, poolFinder } from './pool.js'
import { WELL_KNOWN_POOLS } from './well-known-pools.js'

/** The known pools: the operator's first, then our own list. */
@Injectable()
export class PoolsService implements OnModuleInit {
  find: PoolFinder

  constructor(
    @Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'POOLS_FILE'>,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {
    this.find = poolFinder(WELL_KNOWN_POOLS, rules)
  }

  /** An invalid file prevents the start, like any other invalid setting. */
  async onModuleInit(): Promise<void> {
    const { POOLS_FILE } = this.env
    if (POOLS_FILE) this.find = poolFinder([...(await readPools(POOLS_FILE)), ...WELL_KNOWN_POOLS], this.rules)
  }
}

async function readPools(path: string): Promise<MiningPool[]> {
  try {
    return PoolList.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new Error(`POOLS_FILE cannot be used: ${messageOf(cause)}`, { cause })
  }
}
