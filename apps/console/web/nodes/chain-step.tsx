import { Radio, SimpleGrid, Text } from '@mantine/core'
import { nodesTexts } from '../texts/nodes.js'
import { ChoiceCard } from './choice-card.js'
import { missingOf, type Offer } from './services.js'
import type { StepProps } from './workload-form.js'

const texts = nodesTexts.wizard

export function ChainStep({ offers, form, dispatch }: StepProps) {
  function choose(id: string) {
    const offer = offers.find((each) => each.id === id)
    if (offer) dispatch({ type: 'chose offer', offer })
  }
  return (
    <Radio.Group label={texts.chooseChain} value={form.offer} onChange={choose}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mt="xs">
        {offers.map((offer) => (
          <ChainCard key={offer.id} {...offer} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

function ChainCard(offer: Offer) {
  const { id, chain, network, services } = offer
  const missing = missingOf(offer)
  const software = [...new Set(services.map(({ metadata }) => metadata.software))]
  return (
    <ChoiceCard value={id} title={nodesTexts.chains[chain] ?? chain} disabled={missing !== undefined}>
      <Text size="sm">{network}</Text>
      <Text size="sm" c="dimmed">
        {software.join(', ')}
      </Text>
      {missing !== undefined && (
        <Text size="sm" c="dimmed">
          {texts.missing}: {missing}
        </Text>
      )}
    </ChoiceCard>
  )
}
