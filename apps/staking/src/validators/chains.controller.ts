import { Controller, Inject } from '@nestjs/common'
import { chains, regions } from '@trestle/contracts/staking/chains'
import { Serves } from '@trestle/runtime/serves'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'

/** The chains and regions in which validators can be created. */
@Controller()
export class ChainsController {
  constructor(@Inject(ENV) private readonly env: StakingEnv) {}

  @Serves(chains.list)
  chains(): string[] {
    return this.env.CHAINS.map(({ name }) => name)
  }

  @Serves(regions.list)
  regions(): string[] {
    return [...new Set(this.env.CHAINS.flatMap((chain) => chain.regions.map(({ name }) => name)))]
  }
}
