import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { ExpiringKeysService } from './expiring-keys.service.js'

const EVERY_MS = 10 * 60_000

@Injectable()
export class ExpiringKeysJob implements OnApplicationBootstrap {
  constructor(
    private readonly keys: ExpiringKeysService,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(EVERY_MS, 'announce keys that expire', async () => {
      while ((await this.keys.announce()) > 0);
    })
  }
}
