import { Center, Loader } from '@mantine/core'
import { partsTexts } from '../texts/parts.js'

export function PageLoading() {
  return (
    <Center mih="40vh" role="status" aria-label={partsTexts.loading}>
      <Loader type="dots" />
    </Center>
  )
}
