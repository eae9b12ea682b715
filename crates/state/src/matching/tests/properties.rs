//! Properties of comparisons of random states, against an independent reader.

use super::canonical::canonical;
use super::model::any_model;
use super::*;
use howcome_dd::DeltaId;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_base_with_all_deltas_is_the_other_state(base in any_model(), other in any_model(), seeds: (u64, u64)) {
        let (base, other) = (base.laid_out(seeds.0), other.laid_out(seeds.1));
        let differences = between(&base, &other);
        prop_assert_eq!(differences.dropped, 0);
        let altered = altered(&base, &differences, &all(&differences));
        prop_assert_eq!(canonical(&altered), canonical(&other), "{:#?}", told(&differences));
    }

    #[test]
    fn the_base_without_deltas_stays_as_it_is(base in any_model(), other in any_model(), seeds: (u64, u64)) {
        let (base, other) = (base.laid_out(seeds.0), other.laid_out(seeds.1));
        let differences = between(&base, &other);
        let allocated = vec![Address(1 << 40); differences.allocations.len()];
        let alterations = differences.alterations(&Configuration::empty(), &allocated);
        prop_assert_eq!(alterations, super::super::Alterations::default());
    }

    #[test]
    fn equal_states_at_other_addresses_have_no_deltas(model in any_model(), seeds: (u64, u64)) {
        let differences = between(&model.laid_out(seeds.0), &model.laid_out(seeds.1));
        prop_assert_eq!(told(&differences), Vec::<String>::new());
    }

    #[test]
    fn any_configuration_can_be_applied(
        base in any_model(), other in any_model(), chosen in proptest::collection::vec(any::<bool>(), 200)
    ) {
        let (base, other) = (base.laid_out(0), other.laid_out(3));
        let differences = between(&base, &other);
        let chosen = (0..differences.deltas.len() as u32).filter(|index| chosen[*index as usize % 200]);
        let configuration: Configuration = chosen.map(DeltaId).collect();
        let altered = altered(&base, &differences, &configuration);
        // What was made so is a state that can be read and compared in its turn.
        let rest = between(&altered, &other);
        let altered = super::altered(&altered, &rest, &all(&rest));
        prop_assert_eq!(canonical(&altered), canonical(&other));
    }

    #[test]
    fn every_delta_has_a_counterpart_the_other_way_round(base in any_model(), other in any_model(), seeds: (u64, u64)) {
        let (base, other) = (base.laid_out(seeds.0), other.laid_out(seeds.1));
        let (there, back) = (between(&base, &other), between(&other, &base));
        prop_assert_eq!(there.deltas.len(), back.deltas.len(), "{:#?} {:#?}", told(&there), told(&back));
        for index in 0..there.deltas.len() as u32 {
            let counterpart = there.counterpart(&back, DeltaId(index)).unwrap();
            prop_assert_eq!(back.counterpart(&there, counterpart), Some(DeltaId(index)));
        }
    }
}
