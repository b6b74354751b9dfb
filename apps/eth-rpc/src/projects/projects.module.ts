import { Module } from '@nestjs/common'
import { CallGossipJob } from '../call-limits/call-gossip.job.js'
import { CallLedger } from '../call-limits/call-ledger.engine.js'
import { ForeignTokenVerifier } from '../foreign-tokens/foreign-tokens.engine.js'
import { KeyUseBook } from '../keys/key-use-book.engine.js'
import { GossipJob } from '../limits/gossip.job.js'
import { LimitsService } from '../limits/limits.service.js'
import { LimitGrantsController } from './limit-grants.controller.js'
import { LimitGrantsRepository } from './limit-grants.repository.js'
import { LimitGrantsService } from './limit-grants.service.js'
import { LiveProjects } from './live-projects.engine.js'
import { LiveProjectsJob } from './live-projects.job.js'
import { OwnersConsumer } from './owners.consumer.js'
import { OwnersRepository } from './owners.repository.js'
import { OwnersService } from './owners.service.js'
import { ProjectPartsService } from './project-parts.service.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { ProjectsController } from './projects.controller.js'
import { ProjectsRepository } from './projects.repository.js'
import { ProjectsService } from './projects.service.js'

/** Projects, and the limits that their calls are held to. */
@Module({
  controllers: [LimitGrantsController, OwnersConsumer, ProjectsController],
  providers: [
    CallGossipJob,
    CallLedger,
    ForeignTokenVerifier,
    GossipJob,
    KeyUseBook,
    LimitGrantsRepository,
    LimitGrantsService,
    LimitsService,
    LiveProjects,
    LiveProjectsJob,
    OwnersRepository,
    OwnersService,
    ProjectPartsService,
    ProjectsRepository,
    ProjectsService,
    ProjectTransactionsService,
  ],
  exports: [KeyUseBook, LimitsService, LiveProjects, ProjectsService, ProjectTransactionsService],
})
export class ProjectsModule {}
