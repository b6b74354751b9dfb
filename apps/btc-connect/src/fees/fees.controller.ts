import { Controller } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { ExactNumber, Input } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { FeesService } from './fees.service.js'

const { fees } = btcConnect

@Controller()
export class FeesController {
  constructor(private readonly fees: FeesService) {}

  @Serves(fees.estimate)
  estimate(@Parsed() { query }: Input<typeof fees.estimate>): Promise<Record<string, ExactNumber>> {
    return this.fees.estimate(query.nbBlocks)
  }
}
