import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import { AnswerStore } from './answer-store.engine.js'

const WORK_MS = 1_000

@Injectable()
export class AnswerStoreJob implements OnApplicationBootstrap {
  constructor(
    private readonly store: AnswerStore,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    void this.jobs.every(WORK_MS, 'store answers', () => this.store.work())
  }
}
