import { Module } from '@nestjs/common'
import { SnapshotsRepository } from './snapshots.repository.js'
import { Snapshots } from './snapshots.service.js'

@Module({ providers: [SnapshotsRepository, Snapshots], exports: [Snapshots] })
export class ReadingModule {}
