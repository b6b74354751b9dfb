import { Injectable, type OnModuleInit } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Readiness } from '@trestle/runtime/readiness'
import { SigningKeysService } from './signing-keys.service.js'

const EVERY_MS = 60_000

@Injectable()
export class SigningKeysJob implements OnModuleInit {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly jobs: Jobs,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): Promise<void> {
    this.readiness.add('signing-keys', async () => {
      await this.keys.active('account')
    })
    return this.jobs.every(EVERY_MS, 'maintain the signing keys', () => this.keys.maintain())
  }
}
