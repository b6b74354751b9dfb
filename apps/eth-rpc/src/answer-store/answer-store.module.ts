import { Module } from '@nestjs/common'
import { AnswerStore } from './answer-store.engine.js'
import { AnswerStoreJob } from './answer-store.job.js'
import { AnswerStoreRepository } from './answer-store.repository.js'
import { AnswerStoreHealth } from './answer-store-health.engine.js'

/** Answers about final blocks, kept in Postgres. */
@Module({
  providers: [AnswerStore, AnswerStoreHealth, AnswerStoreJob, AnswerStoreRepository],
  exports: [AnswerStore],
})
export class AnswerStoreModule {}
