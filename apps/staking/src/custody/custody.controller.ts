import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { custody } from '@trestle/contracts/staking/custody'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { CustodyService } from './custody.service.js'

@Controller()
export class CustodyController {
  constructor(private readonly custody: CustodyService) {}

  @Serves(custody.signers)
  signers(): Promise<Reply<typeof custody.signers>> {
    return this.custody.listSigners()
  }

  @Serves(custody.accept)
  accept(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params, body }: Input<typeof custody.accept>): Promise<void> {
    return this.custody.accept(params, body.identity, userId)
  }

  @Serves(custody.lostKeys)
  lostKeys(): Promise<Reply<typeof custody.lostKeys>> {
    return this.custody.listLostKeys()
  }

  @Serves(custody.recover)
  recover(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Input<typeof custody.recover>): Promise<void> {
    return this.custody.recover(params.pubkey, userId)
  }
}
