import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { KeyUsesService } from './key-uses.service.js'

const FLUSH_MS = 5_000

@Injectable()
export class KeyUsesJob implements OnApplicationBootstrap {
  constructor(
    private readonly uses: KeyUsesService,
    private readonly jobs: Jobs,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(FLUSH_MS, 'write the last uses of keys', () => this.uses.write())
    this.lifecycle.onFlush(() => this.uses.write())
  }
}
