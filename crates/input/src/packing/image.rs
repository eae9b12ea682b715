//! The image of a PNG: its header, and its rows of pixels with the filters undone.

use super::byte_reader::ByteReader;

/// The chunk `IHDR`: how the bytes of the image are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PngHeader {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Bits per sample.
    pub(crate) depth: u8,
    /// 0: grey, 2: RGB, 3: palette, 4 and 6: grey and RGB with transparency.
    pub(crate) colour: u8,
    /// Whether it is interlaced in seven passes (Adam7).
    pub(crate) interlaced: bool,
}

impl PngHeader {
    pub(crate) fn read(chunk: &[u8]) -> Option<Self> {
        let mut chunk = ByteReader::new(chunk);
        let (width, height) = (chunk.u32_be()?, chunk.u32_be()?);
        let (depth, colour) = (chunk.byte()?, chunk.byte()?);
        let [0, 0, interlaced @ (0 | 1)] = *chunk.rest() else { return None };
        let is_known = matches!(depth, 1 | 2 | 4 | 8 | 16) && matches!(colour, 0 | 2 | 3 | 4 | 6);
        let header = Self { width, height, depth, colour, interlaced: interlaced == 1 };
        (is_known && width > 0 && height > 0).then_some(header)
    }

    pub(crate) fn bytes(&self) -> [u8; 13] {
        let mut bytes = [0; 13];
        bytes[..4].copy_from_slice(&self.width.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.height.to_be_bytes());
        bytes[8] = self.depth;
        bytes[9] = self.colour;
        bytes[12] = self.interlaced.into();
        bytes
    }

    /// How many bits a pixel has.
    pub(crate) fn pixel(&self) -> usize {
        let samples = match self.colour {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        };
        samples * usize::from(self.depth)
    }

    /// How many bytes a row of pixels has.
    pub(crate) fn row(&self) -> usize {
        (self.width as usize).saturating_mul(self.pixel()).div_ceil(8)
    }

    /// How many bytes all rows have, each with the byte for its filter.
    pub(crate) fn size(&self) -> usize {
        (self.row().saturating_add(1)).saturating_mul(self.height as usize)
    }
}

/// The rows of an image that is not interlaced, without filters.
#[derive(Clone, Debug)]
pub(crate) struct PngImage {
    pub(crate) header: PngHeader,
    rows: Vec<u8>,
}

impl PngImage {
    /// Undoes the filters of the rows.
    pub(crate) fn read(header: PngHeader, filtered: &[u8]) -> Option<Self> {
        if header.interlaced || filtered.len() != header.size() {
            return None;
        }
        let (row, pixel) = (header.row(), header.pixel().div_ceil(8));
        let mut rows: Vec<u8> = Vec::with_capacity(row * header.height as usize);
        for line in filtered.chunks_exact(row + 1) {
            let start = rows.len();
            for (at, byte) in line[1..].iter().enumerate() {
                let left = if at < pixel { 0 } else { rows[start + at - pixel] };
                let above = if start < row { 0 } else { rows[start + at - row] };
                let before = if start < row || at < pixel { 0 } else { rows[start + at - row - pixel] };
                let predicted = match line[0] {
                    0 => 0,
                    1 => left,
                    2 => above,
                    3 => ((u16::from(left) + u16::from(above)) / 2) as u8,
                    4 => paeth(left, above, before),
                    _ => return None,
                };
                rows.push(byte.wrapping_add(predicted));
            }
        }
        Some(Self { header, rows })
    }

    /// A rectangle of the image, written without filters.
    pub(crate) fn cut(&self, x: u32, y: u32, width: u32, height: u32) -> (PngHeader, Vec<u8>) {
        let header = PngHeader { width, height, ..self.header };
        let (from, to, pixel) = (self.header.row(), header.row(), header.pixel());
        let mut filtered = Vec::with_capacity(header.size());
        for y in y..y + height {
            filtered.push(0);
            let row = &self.rows[y as usize * from..][..from];
            let first = x as usize * pixel;
            match first % 8 {
                0 => filtered.extend(&row[first / 8..][..to]),
                shift => filtered.extend((first / 8..).take(to).map(|at| {
                    let next = row.get(at + 1).copied().unwrap_or(0);
                    row[at] << shift | next >> (8 - shift)
                })),
            }
        }
        (header, filtered)
    }
}

/// The Paeth filter: the neighbour that is nearest to the estimate.
fn paeth(left: u8, above: u8, before: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(before);
    let distance = |byte: u8| (guess - i16::from(byte)).abs();
    match (distance(left), distance(above), distance(before)) {
        (a, b, c) if a <= b && a <= c => left,
        (_, b, c) if b <= c => above,
        _ => before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bit(image: &PngImage, x: usize, y: usize) -> bool {
        let (row, at) = (image.header.row(), x / 8);
        image.rows[y * row + at] >> (7 - x % 8) & 1 == 1
    }

    proptest! {
        #[test]
        fn a_cut_of_an_image_has_the_pixels_that_were_there(
            (width, height) in (1u32..20, 1u32..5),
            (depth, colour) in prop::sample::select(vec![(1, 0), (2, 0), (4, 3), (8, 2), (16, 6), (8, 4)]),
            (x, y, noise) in (0u32..20, 0u32..5, any::<u64>()),
        ) {
            let header = PngHeader { width, height, depth, colour, interlaced: false };
            prop_assert_eq!(PngHeader::read(&header.bytes()), Some(header));
            let byte = |at: usize| (noise.wrapping_mul(at as u64 + 7) >> 20) as u8;
            let mut filtered: Vec<u8> = (0..header.size()).map(byte).collect();
            filtered.iter_mut().step_by(header.row() + 1).for_each(|filter| *filter %= 5);
            let image = PngImage::read(header, &filtered).unwrap();
            let (x, y) = (x % width, y % height);
            let (header, rows) = image.cut(x, y, width - x, height - y);
            let cut = PngImage::read(header, &rows).unwrap();
            let pixel = header.pixel();
            for row in 0..header.height as usize {
                for at in 0..header.width as usize * pixel {
                    prop_assert_eq!(bit(&cut, at, row), bit(&image, at + x as usize * pixel, row + y as usize));
                }
            }
        }

        #[test]
        fn an_invalid_header_is_not_an_image(chunk in proptest::collection::vec(any::<u8>(), 0..20)) {
            if let Some(header) = PngHeader::read(&chunk) {
                prop_assert!(PngImage::read(header, &chunk).is_none() || header.size() == chunk.len());
            }
        }
    }
}
