import { Box, Button, Code } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../parts/copy-button.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { useBitcoinChain } from './chain.js'

const texts = bitcoinTexts.transaction

/** The raw bytes of a transaction, fetched on demand. */
export function RawTransaction({ id }: { id: string }) {
  const { chain, api } = useBitcoinChain()
  const [isOpen, { toggle }] = useDisclosure()
  const query = useQuery({
    queryKey: ['bitcoin', 'raw', chain, id],
    queryFn: () => api.raw.transaction({ params: { hash: id } }),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Box>
      <Button variant="default" onClick={toggle} aria-expanded={isOpen} mb="xs">
        {isOpen ? texts.hideRaw : texts.showRaw}
      </Button>
      {isOpen && (
        <Loaded query={query} rows={2}>
          {({ rawtx }) => (
            <Box pos="relative">
              <Code block pr={44} mah={320} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflowY: 'auto' }}>
                {rawtx}
              </Code>
              <Box pos="absolute" top={6} right={6}>
                <CopyButton value={rawtx} label={texts.copyRaw} />
              </Box>
            </Box>
          )}
        </Loaded>
      )}
    </Box>
  )
}
