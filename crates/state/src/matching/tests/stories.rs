//! Small states whose deltas are known.

use super::canonical::canonical;
use super::model::Either;
use super::*;

fn list(keys: &[i32]) -> Model {
    Model { list: keys.iter().map(|key| (*key, false)).collect(), ..Model::default() }
}

fn deltas(base: &Model, other: &Model) -> Vec<String> {
    let (base, other) = (base.laid_out(0), other.laid_out(8));
    let differences = between(&base, &other);
    assert_eq!(canonical(&altered(&base, &differences, &all(&differences))), canonical(&other));
    told(&differences)
}

fn kinds(base: &Model, other: &Model) -> Vec<DeltaKind> {
    let differences = between(&base.laid_out(0), &other.laid_out(8));
    differences.deltas.iter().map(|delta| delta.kind).collect()
}

#[test]
fn an_element_inserted_into_a_list_is_one_delta() {
    for other in [vec![9, 1, 2, 3], vec![1, 9, 2, 3], vec![1, 2, 3, 9], vec![1, 2, 2, 3]] {
        assert_eq!(kinds(&list(&[1, 2, 3]), &list(&other)), [DeltaKind::Created]);
        assert_eq!(kinds(&list(&other), &list(&[1, 2, 3])), [DeltaKind::Deleted]);
    }
}

#[test]
fn a_changed_element_of_a_list_is_a_changed_value() {
    let deltas = deltas(&list(&[1, 2, 3]), &list(&[1, 7, 3]));
    assert_eq!(deltas, ["Changed list->next->key: 2 -> 7"]);
}

#[test]
fn an_element_inserted_into_a_doubly_linked_list_is_one_delta() {
    let deque = |values: &[i32]| Model { deque: values.to_vec(), ..Model::default() };
    for other in [vec![9, 1, 2, 3], vec![1, 9, 2, 3], vec![1, 2, 3, 9], vec![1, 2, 8, 9, 3]] {
        assert_eq!(kinds(&deque(&[1, 2, 3]), &deque(&other)), [DeltaKind::Created], "{other:?}");
        assert_eq!(kinds(&deque(&other), &deque(&[1, 2, 3])), [DeltaKind::Deleted], "{other:?}");
    }
    assert_eq!(kinds(&deque(&[]), &deque(&[1])), [DeltaKind::Created]);
}

#[test]
fn a_pointer_into_a_list_does_not_decide_which_nodes_are_the_same() {
    let base = Model { current: Some(1), ..list(&[1, 2]) };
    let other = Model { current: Some(2), ..list(&[1, 2, 3]) };
    let deltas = deltas(&base, &other);
    assert_eq!(deltas.len(), 2, "{deltas:?}");
    assert!(deltas.iter().all(|delta| delta.starts_with("Created")), "{deltas:?}");
}

#[test]
fn a_redirected_pointer_names_what_both_runs_have() {
    let base = Model { current: Some(1), ..list(&[1, 2, 3]) };
    let other = Model { current: Some(2), ..list(&[1, 2, 3]) };
    assert_eq!(deltas(&base, &other), ["Redirected current: list->next -> current->next"]);
}

#[test]
fn an_entry_of_a_hash_table_is_one_delta_wherever_it_is() {
    let table = |keys: &[i32]| Model { table: keys.to_vec(), ..Model::default() };
    assert_eq!(kinds(&table(&[1, 2, 9, 17]), &table(&[1, 2, 9, 3, 17])), [DeltaKind::Created]);
    assert_eq!(kinds(&table(&[1, 2, 9, 17]), &table(&[1, 2, 17])), [DeltaKind::Deleted]);
}

#[test]
fn a_leaf_of_a_tree_is_a_delta_besides_the_heights_above_it() {
    let tree = |keys: &[i32]| Model { tree: keys.to_vec(), ..Model::default() };
    let deltas = deltas(&tree(&[50, 20, 70]), &tree(&[50, 20, 70, 10]));
    assert_eq!(deltas.len(), 3, "{deltas:?}");
    assert!(deltas.iter().any(|delta| delta.starts_with("Created tree->left->left")), "{deltas:?}");
}

#[test]
fn an_argument_more_leaves_the_others_what_they_are() {
    let words = |words: &[&str]| Model {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        ..Model::default()
    };
    let deltas = deltas(&words(&["sample", "9", "8", "7"]), &words(&["sample", "9", "8", "7", "6"]));
    assert_eq!(deltas, ["Created words: 5 elements -> 7 elements"]);
    let deltas = self::deltas(&words(&["sample", "9", "8", "7"]), &words(&["sample", "0", "9", "8", "7"]));
    assert_eq!(deltas, ["Created words: 5 elements -> 7 elements"]);
    let deltas = self::deltas(&words(&["sample", "9", "8"]), &words(&["sample", "9", "7"]));
    assert_eq!(deltas, ["Changed words[2]: \"8\" -> \"7\""]);
}

#[test]
fn the_pointers_of_a_vector_are_one_delta() {
    let vector = |values: &[i32]| Model { vector: values.to_vec(), ..Model::default() };
    assert_eq!(kinds(&vector(&[]), &vector(&[1, 2, 3])), [DeltaKind::Created]);
    assert_eq!(kinds(&vector(&[0; 8]), &vector(&[0; 9])), [DeltaKind::Created]);
    assert_eq!(kinds(&vector(&[0; 9]), &vector(&[0; 8])), [DeltaKind::Deleted]);
}

#[test]
fn bit_fields_change_only_their_bits_and_combine() {
    let flags = |flags: u32| Model { flags, ..Model::default() };
    let (base, other) = (flags(0x1234_5678), flags(0x2fed_cba9));
    let deltas = deltas(&base, &other);
    assert_eq!(deltas.len(), 3, "{deltas:?}");
    let (base, other) = (base.laid_out(0), other.laid_out(0));
    let differences = between(&base, &other);
    let second = Configuration::from_run(1..2);
    let altered = altered(&base, &differences, &second);
    let number =
        |heap: &MadeUpHeap| u32::from_le_bytes(heap.read(made_up::global("flags"), 4).try_into().unwrap());
    assert_eq!(number(&altered), (number(&base) & !0x3f8) | (number(&other) & 0x3f8));
}

#[test]
fn a_union_with_another_member_is_one_delta() {
    let either = |either| Model { either, ..Model::default() };
    let text = either(Either::Text("hello".into()));
    assert_eq!(deltas(&either(Either::Number(7)), &text).len(), 1);
    assert_eq!(deltas(&text, &either(Either::Number(7))).len(), 1);
    assert_eq!(deltas(&text, &either(Either::Constant)).len(), 1);
}

#[test]
fn a_text_that_does_not_fit_is_written_into_a_block_of_its_own() {
    let words = |word: &str| Model { words: vec![word.to_owned()], ..Model::default() };
    let long = "a text that is much longer than the block of the other one";
    assert_eq!(deltas(&words("short"), &words(long)).len(), 1);
    assert_eq!(deltas(&words(long), &words("short")).len(), 1);
    let buffer = |text: &str| Model { buffer: text.to_owned(), ..Model::default() };
    assert_eq!(deltas(&buffer("half"), &buffer("sixteen letters!")).len(), 1);
}

#[test]
fn deltas_of_one_object_and_one_variable_are_neighbours() {
    let base = Model { count: 1, numbers: vec![1, 2, 3], ..list(&[1, 2, 3]) };
    let other = Model { count: 2, numbers: vec![4, 5, 6], ..list(&[4, 5, 6]) };
    let differences = between(&base.laid_out(0), &other.laid_out(0));
    let groups: Vec<_> = differences.deltas.iter().map(|delta| delta.group).collect();
    assert!(groups.is_sorted(), "{groups:?}");
    assert_eq!(groups.last().map(|group| group[1]), Some(2));
}

/// A list, a table, a tree and a block with so many elements each.
fn large(count: i32, changed: i32) -> Model {
    let keys = |salt: i32| (0..count).map(move |key| if key % 10 == changed { key + salt } else { key });
    Model {
        list: keys(1_000_000).map(|key| (key, key % 3 == 0)).collect(),
        deque: keys(5).collect(),
        table: (0..count / 8).map(|key| key * 7).chain([changed]).collect(),
        numbers: keys(1).collect(),
        vector: keys(2).collect(),
        words: (0..count / 4).map(|key| format!("word {key} {}", i32::from(key % 16 == changed))).collect(),
        ..Model::default()
    }
}

#[test]
fn a_large_state_with_all_deltas_is_the_other_one() {
    let (base, other) = (large(500, 3).laid_out(0), large(500, 7).laid_out(9));
    let differences = between(&base, &other);
    assert_eq!(canonical(&altered(&base, &differences, &all(&differences))), canonical(&other));
    // A tenth of the keys differs on each side.
    assert!(differences.deltas.len() < 700, "{}", differences.deltas.len());
}
