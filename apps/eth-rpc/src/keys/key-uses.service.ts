import { Injectable } from '@nestjs/common'
import { KeyUseBook } from './key-use-book.engine.js'
import { ProjectKeysRepository } from './project-keys.repository.js'

/** When keys were last used. */
@Injectable()
export class KeyUsesService {
  constructor(
    private readonly book: KeyUseBook,
    private readonly keys: ProjectKeysRepository,
  ) {}

  async write(): Promise<void> {
    const uses = this.book.take()
    if (uses.length === 0) return
    try {
      await this.keys.saveUses(uses)
    } catch (error) {
      this.book.putBack(uses)
      throw error
    }
  }
}
