import { Injectable } from '@nestjs/common'
import type { Problem } from '@trestle/problem/problem'

export type ErrorTranslator = (error: unknown) => Problem | undefined

/** Lets a package say what its library's errors mean to a caller; the first that knows the error wins. */
@Injectable()
export class ErrorTranslators {
  private readonly translators: ErrorTranslator[] = []

  add(translator: ErrorTranslator): void {
    this.translators.push(translator)
  }

  translate(error: unknown): Problem | undefined {
    for (const translator of this.translators) {
      const problem = translator(error)
      if (problem) return problem
    }
    return undefined
  }
}
