import { createHash } from 'node:crypto'
import { createTransformer as swcTransformer } from '@swc/jest'

/** That of `@swc/jest`, with a key that all packages share: theirs contains the whole configuration, so each package compiled all it imports. */
export function createTransformer(options) {
  const transformer = swcTransformer(options)
  return {
    ...transformer,
    // swc's key of nothing stands for its version and options. The file's name is in the source map.
    getCacheKey(source, file, jest) {
      const compiler = transformer.getCacheKey('', '', { ...jest, config: {}, configString: '' })
      return createHash('sha1')
        .update(JSON.stringify([compiler, file, source]))
        .digest('hex')
    },
  }
}
